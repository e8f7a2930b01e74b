/** Gateways that break one rule each, to prove that the checks fail. */

import { openGateway } from './gateway.ts'
import { connectToSandbox } from './sandbox-connection.ts'
import { parseJson } from './json.ts'
import type { Mailbox } from './callback-receiver.ts'
import type { Connection } from './connection.ts'
import type { Json } from './json.ts'

/** Gives the same answer to every request except the control interface. */
export function constantAnswer(status: number, body: object): Connection {
  return {
    ...connectToSandbox(),
    fetch: (url) =>
      url.includes('/_sandbox/')
        ? Response.json({ now: '2026-11-21T09:00:00.000Z', speed: 0 })
        : Response.json(body, { status }),
  }
}

/** Changes every answer and every callback. */
export function changedAnswers(change: (body: Json) => Json): Connection {
  const connection = connectToSandbox()
  const { callbackReceiver } = connection
  return {
    ...connection,
    async fetch(url, init) {
      const response = await connection.fetch(url, init)
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      if (!isJson || url.includes('/_sandbox/')) return response
      return Response.json(change(await response.json()), { status: response.status })
    },
    callbackReceiver: { ...callbackReceiver, open: () => rewritten(callbackReceiver.open(), change) },
  }
}

function rewritten(mailbox: Mailbox, change: (body: Json) => Json): Mailbox {
  return {
    url: mailbox.url,
    get received() {
      return mailbox.received.map((callback) => ({ ...callback, body: change(callback.body) }))
    },
    get answers() {
      return mailbox.answers
    },
    set answers(status) {
      mailbox.answers = status
    },
  }
}

/** Removes a field everywhere. */
export const without = (field: string) => changing((name, value) => (name === field ? undefined : value))

/** Replaces one code by another value, in every field. */
export const withoutCode = (code: string) =>
  changing((_, value) => (String(value) === code ? (typeof value === 'number' ? 999 : 'OTHER') : value))

function changing(change: (name: string, value: unknown) => unknown): (body: Json) => Json {
  return (body) => parseJson(JSON.stringify(body, change))
}

/** Accepts every request that it should refuse. */
export function acceptingEverything(): Connection {
  const connection = connectToSandbox()
  return {
    ...connection,
    async fetch(url, init) {
      const response = await connection.fetch(url, init)
      if (response.ok || init.method !== 'POST' || url.includes('/_sandbox/')) return response
      const body = parseJson(init.body ?? '')
      return Response.json({ ...body, response_code: 720, response_description: 'Taken.', status_code: 176 })
    },
  }
}

/** A gateway without a control interface and without callbacks to this machine. */
export function withoutControl(): Connection {
  const { callbackReceiver: _, ...connection } = connectToSandbox()
  const isHidden = (url: string) => url.includes('/_sandbox/')
  return {
    ...connection,
    fetch: (url, init) =>
      isHidden(url) ? new Response('None', { status: 404 }) : connection.fetch(url, init),
  }
}

/** Accepts requests with any token or none. */
export function ignoringTokens(): Connection {
  const connection = connectToSandbox()
  return {
    ...connection,
    async fetch(url, init) {
      if (url.endsWith('/v1/auth')) return connection.fetch(url, init)
      const token = await (await openGateway(connection)).token()
      const headers = { ...init.headers, 'x-access-token': token, authorization: token }
      return connection.fetch(url, { ...init, headers })
    },
  }
}
