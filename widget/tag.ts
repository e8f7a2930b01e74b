/** What a tag says at one moment, with what it leaves out filled in, and the world that it says it in. */

import type { Environment } from './environment.ts'

export interface Tag {
  order: string
  /** Address of the BFF without a slash at its end, or `null` when the tag names none. */
  base: string | null
  /** `auto`, `redirect` or `popup`. */
  launch: string
  returnUrl: string
  /** BCP 47. */
  lang: string
  /** What an empty pop-up says. */
  openingText: string
  environment: Environment
}
