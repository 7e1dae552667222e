/* digits.c - numbers as ChrisOS writes them into TGSI: six digits after the point, cut off (spec 03 section 1)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "gfx3d/exec.h"

char *csir_digits(float value, char buffer[24])
{
	double magnitude = fabs((double)value) > 1e6 ? 1e6 : fabs((double)value), whole = floor(magnitude);

	if (isnan(value))
		snprintf(buffer, 24, "0.0");
	else /* a float's fraction times a million is exact in double precision */
		snprintf(buffer, 24, "%s%.0f.%06.0f", value < 0 ? "-" : "", whole, floor((magnitude - whole) * 1e6));
	return buffer;
}

float csir_q_immediate(float value)
{
	char buffer[24];

	return strtof(csir_digits(value, buffer), NULL);
}
