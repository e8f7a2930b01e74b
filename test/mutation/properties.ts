/** Runs each property with fewer values and without a search for the shortest example: a mutant only has to fail. */

import fc from 'fast-check'

fc.configureGlobal({ numRuns: 20, endOnFailure: true })
