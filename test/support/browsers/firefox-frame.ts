import { beforeEach } from 'vitest'

beforeEach(() => {
  // Firefox does not deliver WebDriver clicks to a frame with a transform, not even `scale(1)`.
  window.frameElement?.parentElement?.style.removeProperty('transform')
  // Without focus on the frame, the first key press would go to the outer page.
  window.focus()
})
