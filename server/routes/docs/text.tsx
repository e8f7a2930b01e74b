/** Renders plain text of several lines, whose parts in backquotes are code. */

import type { FC } from 'hono/jsx'

export const Text: FC<{ text: string }> = ({ text }) => (
  <>
    {text.split('\n').map((line, index) => (
      <>
        {index > 0 && <br />}
        {line.split('`').map((part, place) => (place % 2 === 1 ? <code>{part}</code> : part))}
      </>
    ))}
  </>
)
