import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'

import { listen } from '../../demo/sandbox/http/listen.ts'
import { createSandbox } from '../../demo/sandbox/index.ts'
import { openGateway } from '../../server/conformance/gateway.ts'
import { planOf, VERDICTS } from '../../server/conformance/grade.ts'
import { connectTo } from '../../server/conformance/variables.ts'
import { linkModules } from '../create/packed.ts'
import { newFolder } from '../support/folder.ts'
import { run } from '../support/worlds/command-line.ts'

const LIMIT = { timeout: 120_000 }

// The package as it is published, without the test framework of this repository.
const folder = newFolder(afterAll)
linkModules(folder, ['vitest', '@vitest', 'vite', 'chai'])

const conformance = (args: readonly string[], env = {}) =>
  run(
    ['conformance', ...args],
    env,
    '',
    join(folder, 'node_modules/gateway-checkout-server/dist/cli.js'),
    folder,
  )

/** Each test sends hundreds of requests: without FULL, only those that need no `/_sandbox`. */
const isFull = Boolean(process.env.FULL)
const absent = () => new Response(null, { status: 404 })

test.runIf(isFull)('the packed command grades a sandbox by its address alone', LIMIT, async () => {
  const { code, out } = await conformance(['--against', await serving()])
  expect(code).toBe(0)
  expect(countsIn(out)).toEqual(await plannedCounts())
})

test('the README counts the rows of a sandbox by its address alone', async () => {
  const [passed, failed, skipped, unknown] = await plannedCounts()
  expect(failed).toBe(0)
  expect(readFileSync('test/conformance/README.md', 'utf8')).toContain(
    `| sandbox by its address alone | 547 | ${passed} | ${skipped} | ${unknown} |`,
  )
})

test(
  'the packed command grades a gateway without /_sandbox: it says what is skipped, and why',
  LIMIT,
  async () => {
    const { code, out } = await conformance(['--against', await serving({ '/_sandbox/': absent })])
    expect(code).toBe(0)
    expect(out).toMatch(
      /^- Checkout overall status \/ 802: needs control: a \/_sandbox, to pay as a customer/m,
    )
    expect(out).toMatch(/^- .*: needs charges: their path \(CONFORMANCE_CHARGE_PATH\)$/m)
    expect(out).toMatch(/\n\nGET \/v1\/fx\n✓ /)
    expect(out).toMatch(/^\? Events \/ 6: Not shown: signatures of callbacks\./m)
    expect(out).toMatch(/\nall +\d+ passed, 0 failed, \d{3} skipped, 25 unknown\n$/)
  },
)

test('a gateway that breaks a rule is refused, with the row and the reason', LIMIT, async () => {
  const junit = join(folder, 'conformance.xml')
  const url = await serving({
    '/v2/checkout/initiate': async (response) => {
      const { checkout_reference: _, ...body } = await response.json()
      return Response.json(body, { status: response.status })
    },
    ...(!isFull && { '/_sandbox/': absent }),
  })
  const { code, out } = await conformance(['--against', url, '--junit', junit])
  expect(code).toBe(1)
  expect(out).toMatch(
    /^✗ Standard checkout response \/ checkout_reference: expected \/\\S\/, got undefined$/m,
  )
  expect(out).toMatch(/^✓ Standard checkout response \/ currency$/m)
  expect(readFileSync(junit, 'utf8')).toMatch(
    /<testcase classname="conformance" name="Standard checkout response \/ checkout_reference"><failure message="expected /,
  )
})

test('nothing is sent with other keys before somebody agrees, and an absent gateway is no verdict', async () => {
  const against = ['--against', 'http://127.0.0.1:1']
  const asked = await conformance(against, { CONFORMANCE_CONSUMER_KEY: 'key-of-ours' })
  expect({ code: asked.code, out: asked.out }).toEqual({ code: 2, out: '' })
  expect(asked.err).toContain('Sends about a hundred payouts')
  expect(await conformance(against)).toMatchObject({ code: 69, out: '' })
})

type Change = (response: Response) => Response | Promise<Response>

/** Serves a sandbox whose answers under some paths are changed. Resolves with its URL. */
async function serving(changes: Record<string, Change> = {}): Promise<string> {
  const { app } = createSandbox()

  const fetch = async (request: Request) => {
    const response = await app.request(request)
    const { pathname } = new URL(request.url)
    const [, change] = Object.entries(changes).find(([path]) => pathname.startsWith(path)) ?? []
    return change ? change(response) : response
  }

  const { url, close } = await listen({ fetch }, 0)
  onTestFinished(close)
  return url
}

function countsIn(out: string): number[] {
  const counts = /\nall +(\d+) passed, (\d+) failed, (\d+) skipped, (\d+) unknown\n$/.exec(out) ?? []
  return counts.slice(1).map(Number)
}

/** Resolves with how many rows have each verdict when no check fails against a sandbox that is known by its address. */
async function plannedCounts(): Promise<number[]> {
  const connection = await connectTo(await serving(), {})
  onTestFinished(() => connection.close())
  const planned = planOf(await openGateway(connection))
  return VERDICTS.map((wanted) => planned.filter(({ verdict }) => verdict === wanted).length)
}
