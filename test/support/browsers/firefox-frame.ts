/** What Firefox, driven over WebDriver BiDi, needs of the frame that Vitest tests in before each test. */

import { beforeEach } from 'vitest'

beforeEach(() => {
  // Not even `scale(1)` may be left on it: a transformed frame takes no real click.
  window.frameElement?.parentElement?.style.removeProperty('transform')
  // The first key would otherwise go to the page around it.
  window.focus()
})
