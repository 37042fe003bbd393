// SPDX-License-Identifier: MIT
// What an object says of itself, for the caller's function.
#include "base/diag.h"
#include "base/sized.h"
#include "list/list.h"
#include "object/print/print.h"

sw_status sw_describe_object(const sw_object *object, const sw_describe_options *options,
                             const sw_sink *sink) {
    sw_describe_options o;
    sw_status status = sized_take(SIZED(sw_describe_options, json_depth), &o, options, sink);
    if (status) return status;
    if (!o.write) return diag_fail(sink, SW_USAGE, NULL, "a description needs a function that takes it");
    struct text t = {0};
    struct json j = {.out = &t, .depth = (int)o.json_depth, .has_item = true};
    text_add(&t, "", 0);
    switch (o.what) {
    case SW_DESCRIBE_ALL:
        if (o.json_depth)
            print_object_json(&j, object, o.kernel);
        else
            print_object(&t, object, o.kernel);
        break;
    case SW_DESCRIBE_METADATA:
        if (sw_object_metadata(object)) print_yaml(&t, sw_object_metadata(object));
        break;
    case SW_DESCRIBE_LINES: status = print_lines(&t, object, sink); break;
    default: status = diag_fail(sink, SW_USAGE, NULL, "there is no description %d", (int)o.what);
    }
    if (!status && t.failed) status = diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    if (t.length && !t.failed) o.write(o.context, t.data, t.length);
    text_free(&t);
    return status;
}
