/** Renders the table of problem codes on the page `/docs`, with the cause of each and what to do about it. */

import type { FC } from 'hono/jsx'
import { PROBLEM_CODES, PROBLEMS } from '../../api/problem-codes.ts'
import { PROBLEM_HELP } from '../../api/problem-help.ts'
import { Text } from './text.tsx'

export const Problems: FC = () => (
  <section id="Problems">
    <h2>Problems</h2>
    <p>
      Every failure is a problem document with one of these codes. Its <code>type</code> leads to the row of
      its code.
    </p>
    {PROBLEM_CODES.map((code) => (
      <article id={code}>
        <h3>
          <code>{code}</code>
        </h3>
        <p class="key">
          HTTP {PROBLEMS[code].status}. {PROBLEMS[code].title}.{' '}
          {PROBLEMS[code].retryable ? 'The same request may succeed later.' : ''}
        </p>
        <p>
          <Text text={PROBLEM_HELP[code]} />
        </p>
      </article>
    ))}
  </section>
)
