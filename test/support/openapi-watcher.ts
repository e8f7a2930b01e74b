import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'

import { parseJson } from '../../server/conformance/connection.ts'

import type { Connection, Mailbox } from '../../server/conformance/connection.ts'
import type { Document } from '../../server/openapi/document.ts'

/**
 * Compares everything that goes over a connection with the OpenAPI document that the gateway serves, by Ajv: requests
 * that are accepted, all answers, and callbacks. Other requests, such as those to the sandbox's control, are not
 * compared.
 */
export async function watch(connection: Connection & Required<Pick<Connection, 'callbackReceiver'>>) {
  const document: Document = await (
    await connection.fetch(`${connection.baseUrl}/openapi.json`, PLAIN)
  ).json()
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document')
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
      matches: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    })),
  )
  const disagreements: string[] = []
  const compared = { requests: 0, answers: 0, callbacks: 0 }
  const mailboxes: Mailbox[] = []
  /** The pointers to the schemas of callbacks, by the address that receives them. */
  const expected = new Map<unknown, Set<string>>()
  const expect = (address: unknown, pointer: string) =>
    expected.set(address, (expected.get(address) ?? new Set()).add(pointer))

  function compare(
    what: keyof typeof compared,
    about: string,
    pointers: Iterable<string>,
    value: unknown,
  ): void {
    compared[what] += 1
    const anyOf = [...pointers].map((each) => ({
      $ref: `document#/${each}/content/application~1json/schema`,
    }))
    if (!ajv.validate({ anyOf }, value)) {
      disagreements.push(`${what} ${about}: ${ajv.errorsText()}`)
    }
  }

  function compareExchange(
    url: URL,
    method: string,
    sent: string | undefined,
    status: number,
    answer: unknown,
  ) {
    const body: unknown = parseJson(sent ?? '')
    if (url.pathname === '/_sandbox/portal' && typeof body === 'object') {
      for (const [name, address] of Object.entries(body ?? {})) {
        expect(address, `webhooks/${name}/post/requestBody`)
      }
    }

    const found = operations.find((each) => each.method === method && each.matches.test(url.pathname))
    if (!found) {
      return
    }

    const { path, operation } = found
    const about = `${method} ${path} ${status}`
    const pointer = `paths/${escaped(path)}/${method.toLowerCase()}`
    if (operation.responses[status] === undefined) {
      disagreements.push(`answers ${about}: is not in the document`)
    } else {
      compare('answers', about, [`${pointer}/responses/${status}`], answer)
    }
    if (status >= 300) {
      return
    }

    for (const { name } of operation.parameters.filter((each) => each.in === 'query' && each.required)) {
      if (!url.searchParams.has(name)) {
        disagreements.push(`requests ${about}: lacks ${name}`)
      }
    }

    if (!operation.requestBody || body === null) {
      return
    }

    compare('requests', about, [`${pointer}/requestBody`], body)
    const [[name, at] = []] = Object.entries(operation.callbacks ?? {})
    const [address] = Object.keys(at ?? {})
    if (name !== undefined && address !== undefined) {
      expect(Object(body).callback_url, `${pointer}/callbacks/${name}/${escaped(address)}/post/requestBody`)
    }
  }

  const fetchWatched: Connection['fetch'] = async (url, init) => {
    const response = await connection.fetch(url, init)
    const text = await response.clone().text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const answer: unknown = isJson ? JSON.parse(text) : text
    compareExchange(new URL(url), init.method, init.body, response.status, answer)
    return response
  }

  const { callbackReceiver } = connection

  const open = () => {
    const mailbox = callbackReceiver.open()
    mailboxes.push(mailbox)
    return mailbox
  }

  return {
    connection: { ...connection, fetch: fetchWatched, callbackReceiver: { ...callbackReceiver, open } },
    /** Returns what disagrees, and how much was compared. */
    result: () => {
      for (const { url, received } of mailboxes.splice(0)) {
        for (const { body } of received) {
          compare('callbacks', 'of the gateway', expected.get(url) ?? [], body)
        }
      }

      return { disagreements, compared }
    },
  }
}

const PLAIN = { method: 'GET', headers: {}, redirect: 'manual' } as const
const escaped = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
