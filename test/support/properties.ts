// Without FULL, the properties are tried on the same inputs each time, so that the same commit gives the same answer.

import fc from 'fast-check'
import { inject } from 'vitest'

if (!inject('isFull')) {
  fc.configureGlobal({ seed: 1 })
}
