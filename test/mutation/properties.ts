// One failure is enough to detect a mutant.

import fc from 'fast-check'

fc.configureGlobal({ numRuns: 20, endOnFailure: true })
