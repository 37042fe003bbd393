! SPDX-License-Identifier: MIT
! OpenMP on a device from Fortran.
program offload
  use omp_lib
  implicit none
  integer, parameter :: n = 1000
  real(8) :: a(n), b(n), total
  integer :: i, on_device
  on_device = 0
  !$omp target map(from: on_device)
  on_device = merge(0, 1, omp_is_initial_device())
  !$omp end target
  print '(a,i0)', 'device ', on_device
  do i = 1, n
    a(i) = i * 0.5d0
  end do
  total = 0
  !$omp target teams distribute parallel do map(to: a) map(from: b) reduction(+: total)
  do i = 1, n
    b(i) = sqrt(a(i)) + a(i) ** 2
    total = total + b(i)
  end do
  print '(a,f18.6)', 'total ', total
  print '(a,f18.6)', 'last ', b(n)
end program
