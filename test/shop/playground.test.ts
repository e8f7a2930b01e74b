import { expect, test } from 'vitest'

import { SITUATIONS } from '../../demo/shop/playground/states.ts'
import { PROBLEMS } from '../../server/api/problem-codes.ts'

test('the playground answers with the status of each problem code', () => {
  const problems = [...SITUATIONS.values()].flatMap(({ answers }) =>
    answers.flatMap((answer) => (typeof answer === 'object' && 'problem' in answer ? [answer.problem] : [])),
  )
  expect(problems).not.toEqual([])
  for (const { code, status, retryable = false } of problems) {
    expect(PROBLEMS[code]).toMatchObject({ status, retryable })
  }
})
