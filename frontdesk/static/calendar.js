// The calendar: keys, the line of now, and the free time under the pointer. Every act works without it.
"use strict";
