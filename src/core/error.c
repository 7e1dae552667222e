/* error.c - messages for a person
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stdio.h>

#include "quadscope.h"

void qs_error_set(struct qs_error *error, enum qs_error_code code, uint64_t offset, const char *format, ...)
{
	va_list args;

	if (!error)
		return;
	error->code = code;
	error->offset = offset;
	va_start(args, format);
	vsnprintf(error->text, sizeof error->text, format, args);
	va_end(args);
}
