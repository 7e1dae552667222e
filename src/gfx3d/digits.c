/* digits.c - numbers as ChrisOS writes them into TGSI: six digits after the point, cut off (spec 03 section 1)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "gfx3d/exec.h"

char *csir_digits(float value, char buffer[24])
{
	float magnitude = fabsf(value) > 1000000.0f ? 1000000.0f : fabsf(value), fraction;
	unsigned digits = 0;
	int whole;

	if (isnan(value)) {
		snprintf(buffer, 24, "0.0");
		return buffer;
	}
	whole = (int)magnitude;
	fraction = magnitude - (float)whole;
	for (unsigned i = 0; i < 6; i++) {
		fraction *= 10;
		digits = digits * 10 + (unsigned)fraction;
		fraction -= (float)(unsigned)fraction;
	}
	snprintf(buffer, 24, "%s%d.%06u", value < 0 ? "-" : "", whole, digits);
	return buffer;
}

float csir_q_immediate(float value)
{
	char buffer[24];

	return strtof(csir_digits(value, buffer), NULL);
}
