/** What pages have in common: their files and the headers that guard them, and rows that change while one looks. */
@NullMarked
package dev.berth.web.page;

import org.jspecify.annotations.NullMarked;
