/** Whether this server is reached at its public address. */

import type { Clock } from '../../clock.ts'
import type { Fetch } from '../../exchange.ts'
import type { Finding } from './finding.ts'
import { exchange } from '../../exchange.ts'
import { fine, problem } from './finding.ts'

const DEADLINE_MS = 8_000
const MAX_ANSWER_BYTES = 10_000

export async function checkAddress(fetch: Fetch, clock: Clock, publicUrl: string): Promise<Finding> {
  const url = `${publicUrl}/health/live`
  const answer = await exchange(fetch, clock, {
    method: 'GET',
    url,
    headers: {},
    deadlineMs: DEADLINE_MS,
    maxAnswerBytes: MAX_ANSWER_BYTES,
  })
  const what = 'address'
  switch (answer.kind) {
    case 'timeout':
      return problem(what, `${url} gave no answer within ${DEADLINE_MS / 1000} seconds.`)
    case 'unreachable':
      return problem(what, `${url} cannot be reached from here. Does the server run?`)
    case 'too_large':
      return problem(what, `${url} is answered by something else than this server.`)
    case 'answer':
      return answer.status === 200 && /"status":\s*"live"/.test(answer.text)
        ? fine(what, `${url} is answered by this server, as seen from here.`)
        : problem(what, `${url} is answered with HTTP ${answer.status}, and not by this server.`)
  }
}
