! SPDX-License-Identifier: MIT
! OpenMP and OpenACC (with -fopenacc) on a device from Fortran: arrays, derived types, intrinsic functions, output.
module shapes
  implicit none
  type point
    real(8) :: x, y
    integer :: n(4)
  end type
contains
  pure real(8) function length(p)
    !$omp declare target
    !$acc routine seq
    type(point), intent(in) :: p
    length = sqrt(p%x ** 2 + p%y ** 2) + sum(p%n)
  end function
end module
program more
  use shapes
#ifdef _OPENMP
  use omp_lib
#endif
#ifdef _OPENACC
  use openacc
#endif
  implicit none
  integer, parameter :: n = 800
  type(point) :: p(n)
  real(8) :: a(n, 4), total, largest
  complex(8) :: z(n)
  real(8), allocatable :: b(:)
  integer :: i, j, on_device, bits
  on_device = 0
  !$omp target map(from: on_device)
  !$acc parallel copyout(on_device)
#ifdef _OPENMP
  on_device = merge(0, 1, omp_is_initial_device())
#else
  on_device = merge(1, 0, acc_on_device(acc_device_radeon))
#endif
  !$acc end parallel
  !$omp end target
  print '(a,i0)', 'device ', on_device
  do i = 1, n
    p(i) = point(i * 0.5d0, i * 0.25d0, [1, 2, 3, i])
  end do
  total = 0
  largest = -1
  !$omp target teams distribute parallel do map(to: p) reduction(+: total) reduction(max: largest)
  !$acc parallel loop copyin(p) reduction(+: total) reduction(max: largest)
  do i = 1, n
    total = total + length(p(i))
    largest = max(largest, length(p(i)))
  end do
  print '(a,f16.5,f12.5)', 'points ', total, largest
  !$omp target teams distribute parallel do collapse(2) map(from: a)
  !$acc parallel loop collapse(2) copyout(a)
  do j = 1, 4
    do i = 1, n
      a(i, j) = sin(i * 0.01d0) * j + mod(i, 7) + atan2(dble(i), dble(j)) + exp(-i * 0.01d0) + abs(dble(j - 2)) ** 1.5d0
    end do
  end do
  print '(a,2f14.8)', 'a ', a(n, 4), a(17, 2)
  allocate(b(n))
  b = 1
  !$omp target data map(tofrom: b)
  !$acc data copy(b)
  !$omp target teams distribute parallel do
  !$acc parallel loop
  do i = 1, n
    b(i) = b(i) + i
  end do
  !$omp target
  !$acc serial
  b(1) = b(n) + b(2)
  !$acc end serial
  !$omp end target
  !$acc end data
  !$omp end target data
  print '(a,2f10.1)', 'b ', b(1), b(n)
  !$omp target parallel do map(from: z)
  !$acc parallel loop copyout(z)
  do i = 1, n
    z(i) = cmplx(i, -i, 8) * (2, 1)
  end do
  print '(a,2f10.1)', 'z ', z(n)
  bits = 0
  !$omp target teams distribute parallel do reduction(ieor: bits)
  !$acc parallel loop reduction(ieor: bits)
  do i = 1, n
    bits = ieor(bits, ishft(i, 3) + popcnt(i))
  end do
  print '(a,i0)', 'bits ', bits
end program
