/** Tells people by a request to a service that sends SMS or chats. */

import { fillTemplate } from '../config/notice-template.ts'
import { decodedBase64 } from '../config/secret.ts'
import { decodedParts } from '../contract/parse.ts'
import { exchange, isNotConnected, isSuccess, readRetryAfter } from '../http/exchange.ts'
import { createMask } from '../http/masked-fetch.ts'
import { NoticeError } from './tell.ts'

import type { NoticeService } from '../config/notices.ts'
import type { Exchange, Fetch } from '../http/exchange.ts'
import type { Clock } from '../work/clock.ts'
import type { Failure, Tell } from './tell.ts'

interface HttpOptions {
  service: NoticeService
  /** Masks the secrets of the configuration in the words of the service. */
  fetch: Fetch
  clock: Clock
}

/** A service may answer only when the operator has taken the message. */
const DEADLINE_MS = 60_000
const MAX_ANSWER_BYTES = 64_000

const CONTENT_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain; charset=utf-8',
} as const satisfies Record<NoticeService['type'], string>

export function tellByHttp({ service, fetch, clock }: HttpOptions): Tell {
  const { origin, path, type, template } = service
  const mask = createMask(secretsOf(service), SHORTEST_WORD)
  return async ({ id, values }) => {
    const serviceHeaders = Object.fromEntries(
      service.headers.map(({ name, value }) => [name, value.reveal()]),
    )
    const answer = await exchange(fetch, clock, {
      method: 'POST',
      url: origin + path.reveal(),
      // Services that know this header send the message once, however often it is delivered.
      headers: { ...serviceHeaders, 'content-type': CONTENT_TYPES[type], 'idempotency-key': id },
      body: fillTemplate(type, template, values),
      deadlineMs: DEADLINE_MS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
    })
    // What a service answers that has taken the message may be cut off.
    if (isSuccess(answer.status)) {
      return
    }

    const words = answer.kind === 'answer' ? mask(answer.mask(answer.text)).trim() : ''
    const summary = answer.kind === 'answer' ? mask(answer.summary) : answer.summary
    const what = `The service at NOTIFY_URL (${origin}) ${summary}${cureOf(answer.status)}`
    throw new NoticeError(
      words === '' ? `${what}.` : `${what}: ${words}`,
      failureOf(answer),
      waitOf(answer, clock.now()),
    )
  }
}

/**
 * Returns what a service may repeat of a request: every word of what is configured for it beside its public host, as it
 * is written and as it is decoded. Which of the words are a password is for the service to know.
 */
function secretsOf({ headers, path }: NoticeService): string[] {
  const configured = [path, ...headers.map(({ value }) => value)].map((secret) => secret.reveal())
  const texts = configured.flatMap((text) => [text, decodedParts(text)])
  const encoded = texts.flatMap((text) => text.match(/[\w+-]+/g) ?? []).flatMap(decodedBase64)
  return [...configured, ...[...texts, ...encoded].flatMap((text) => text.match(WORD) ?? [])]
}

const WORD = /[\p{L}\p{N}]+/gu
/** One character alone would be hidden in every sentence. */
const SHORTEST_WORD = 2

/** The statuses by which a service refuses a key. */
const WRONG_KEY: ReadonlySet<number | null> = new Set([401, 403])
/** The statuses by which a service takes no message now. */
const ASKS_TO_WAIT: ReadonlySet<number | null> = new Set([429, 503])

function cureOf(status: number | null): string {
  return WRONG_KEY.has(status) ? ', and probably refuses the key of NOTIFY_HEADERS or NOTIFY_URL' : ''
}

/** [assumed] A service that answers with another 5xx than 503 may have taken the message. */
function failureOf(answer: Exchange): Failure {
  const { status } = answer
  if (status === null) {
    return answer.kind === 'unreachable' && isNotConnected(answer.cause) ? 'away' : 'unanswered'
  }
  if (WRONG_KEY.has(status) || ASKS_TO_WAIT.has(status)) {
    return 'away'
  }
  return status >= 500 ? 'unanswered' : 'refused'
}

function waitOf(answer: Exchange, now: number): number | null {
  const asksToWait = answer.kind === 'answer' && ASKS_TO_WAIT.has(answer.status)
  return asksToWait ? readRetryAfter(answer.headers, now) : null
}
