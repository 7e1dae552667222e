/* pattern.c - string patterns with a step limit
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "lua/script.h"

void pattern_open(lua_State *L)
{
	(void)L;
}
