out.spv: \
  with=sign.h \
  without.h
