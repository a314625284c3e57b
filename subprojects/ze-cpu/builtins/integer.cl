#include "builtins.h"
