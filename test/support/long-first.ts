import { BaseSequencer } from 'vitest/node'

import type { TestSpecification } from 'vitest/node'

/** The files that take longest. In a fresh clone, Vitest only knows the size of each file. */
const LONG = [
  'simulation/days.test',
  'e2e/return',
  'e2e/chromium/',
  'e2e/',
  'conformance/command',
  'guides/',
  'simulation/',
  'prove/',
  'server/store/postgres',
  'looks/',
  'trusted-types',
  'supply/optional-driver',
  'create/',
  'faults/',
  'widget/transcripts',
]

/** Begins with the files that take longest, so that no worker is left with one at the end. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}

function rank({ moduleId }: TestSpecification): number {
  const at = LONG.findIndex((part) => moduleId.includes(`/test/${part}`))
  return at === -1 ? LONG.length : at
}
