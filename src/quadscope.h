/* quadscope.h - the public interface of libquadscope
 *
 * A capture is opened (struct qs_capture), a timeline replays it (struct qs_timeline), and everything that a person, a script
 * or a panel can ask is asked of the timeline at its current moment.  Plain C17; no globals; one owner thread per timeline
 * (only qs_timeline_cancel may be called from another thread).
 *
 * Words: draw = one primitive command; primitive = one point, line or triangle of it (before clipping); quad = 2x2 pixels at
 * even coordinates; fragment = one covered pixel of a quad, numbered 0 top left, 1 top right, 2 bottom left, 3 bottom right;
 * pixel = a place in the EFB, (0,0) top left.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QUADSCOPE_H
#define QUADSCOPE_H

#include "qs_base.h"
#include "qs_register.h"
#include "qs_capture.h"
#include "qs_record.h"
#include "qs_expr.h"
#include "qs_timeline.h"
#include "qs_break.h"
#include "qs_compare.h"
#include "qs_lint.h"

#endif
