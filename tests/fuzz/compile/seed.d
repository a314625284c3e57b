source: a.cl with\ blank.h two\\\ x.h \
  no\#1.h \
 $$HOME/d.h back\slash\

b: c.h a.cl\