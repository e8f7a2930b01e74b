/** Prepares Vitest's test frame before each test for Firefox, which is driven over WebDriver BiDi. */

import { beforeEach } from 'vitest'

beforeEach(() => {
  // Real clicks do not reach a frame with any transform, not even `scale(1)`.
  window.frameElement?.parentElement?.style.removeProperty('transform')
  // Without focus on the frame, the first key press would go to the page around the frame.
  window.focus()
})
