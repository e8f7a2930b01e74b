/** Tells people by a request to a service that sends SMS or chats. */

import { fillTemplate } from '../config/notices.ts'
import { exchange, isSuccess } from '../http/exchange.ts'
import { NoticeError } from './tell.ts'

import type { NoticeService } from '../config/notices.ts'
import type { Fetch } from '../http/exchange.ts'
import type { Clock } from '../work/clock.ts'
import type { Tell } from './tell.ts'

interface HttpOptions {
  service: NoticeService
  /** Masks the secrets of the configuration in the words of the service. */
  fetch: Fetch
  clock: Clock
}

const DEADLINE_MS = 15_000
const MAX_ANSWER_BYTES = 64_000

const CONTENT_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain; charset=utf-8',
} as const satisfies Record<NoticeService['type'], string>

export function tellByHttp({ service, fetch, clock }: HttpOptions): Tell {
  const { origin, path, type, template } = service
  return async ({ id, values }) => {
    const own = Object.fromEntries(service.headers.map(({ name, value }) => [name, value.reveal()]))
    const answer = await exchange(fetch, clock, {
      method: 'POST',
      url: origin + path.reveal(),
      // Services that know this header send the message once, however often it is delivered.
      headers: { ...own, 'content-type': CONTENT_TYPES[type], 'idempotency-key': id },
      body: fillTemplate(type, template, values),
      deadlineMs: DEADLINE_MS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
    })
    // What a service answers that has taken the message may be cut off.
    if (isSuccess(answer.status)) {
      return null
    }

    const words = answer.kind === 'answer' ? answer.mask(answer.text).trim() : ''
    throw new NoticeError(
      `The service at NOTIFY_URL (${origin}) ${answer.summary}${words === '' ? '.' : `: ${words}`}`,
    )
  }
}
