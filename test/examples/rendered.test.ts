import { execFileSync } from 'node:child_process'
import { brotliCompressSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { renderCheckout } from '../../server/index.ts'
import { LOADERS } from '../../widget/languages.ts'
import { en } from '../../widget/locales/en.ts'
import { installLanguages } from './languages.ts'
import { ACCEPTED, EVERY_OPTION, KNOWN_PAYER, REFUSED } from './rendered-table.ts'
import type { Rendering } from './rendered-table.ts'

const INSTALL_MS = 900_000
const MOST_BYTES = 1024

type Rendered = { html: string } | { error: string }

const PYTHON = `
import json, sys
sys.path.insert(0, "server/examples/python")
from render_checkout import render_checkout
def rendered(order, options):
    try:
        return {"html": render_checkout(order, **options)}
    except ValueError as error:
        return {"error": str(error)}
print(json.dumps([rendered(**each) for each in json.loads(sys.stdin.buffer.read())]))`

const PHP = `
require 'server/examples/php/render_checkout.php';
$all = json_decode(file_get_contents('php://stdin'), true, 16, JSON_THROW_ON_ERROR);
echo json_encode(array_map(function ($each) {
    try {
        return ['html' => GatewayCheckout\\render_checkout($each['order'], $each['options'])];
    } catch (InvalidArgumentException $error) {
        return ['error' => $error->getMessage()];
    }
}, $all), JSON_THROW_ON_ERROR);`

const COMMANDS = { php: ['php', '-r', PHP], python: ['python3', '-c', PYTHON] } as const

beforeAll(installLanguages, INSTALL_MS)

describe.each(['php', 'python'] as const)('in %s', (language) => {
  let rendered: Rendered[]
  beforeAll(() => {
    const [command, ...args] = COMMANDS[language]
    const input = JSON.stringify(everything().map(inSnakeCase))
    rendered = JSON.parse(execFileSync(command, args, { input, encoding: 'utf8', maxBuffer: 2 ** 26 }))
  })

  test('the element is the same to the byte as in TypeScript', () => {
    const accepted = Object.values(ACCEPTED).map((each) => ({ html: inTypeScript(each) }))
    expect(rendered.slice(0, accepted.length)).toEqual(accepted)
  })

  test('the errors name the same options and rules as in TypeScript', () => {
    const errors = REFUSED.map(([option, rule]) => ({ error: `${snakeCase(option)} ${rule}` }))
    expect(rendered.slice(-errors.length)).toEqual(errors)
  })
})

describe('in TypeScript', () => {
  test.each(REFUSED)('%s %s, or an error says so', (option, rule, rendering) => {
    expect(() => inTypeScript(rendering)).toThrow(new TypeError(`${option} ${rule}`))
  })

  test('a text with half a surrogate pair is refused', () => {
    expect(() => renderCheckout('A-\ud800', KNOWN_PAYER)).toThrow(/^order must be at most 4000 characters/)
  })

  test('it adds at most 1 kB with brotli to a page', () => {
    const html = renderCheckout('A', { ...EVERY_OPTION, disabled: false })
    expect(brotliCompressSync(html).byteLength).toBeLessThanOrEqual(MOST_BYTES)
  })

  test('the button says what the element says in each language', async () => {
    const locales = await Promise.all(Object.values(LOADERS).map(async (load) => (await load()).default))
    for (const { language, pay, dir } of [en, ...locales]) {
      const html = renderCheckout('A-1', { ...KNOWN_PAYER, lang: language })
      expect(html).toContain(`lang="${language}" dir="${dir}"`)
      expect(html).toContain(`>${pay}</slot>`)
    }
  })

  test('only the style sheet has the nonce', () => {
    const html = renderCheckout('A-1', EVERY_OPTION)
    expect(html.split(EVERY_OPTION.nonce)).toHaveLength(2)
    expect(html).toContain(`<style nonce="${EVERY_OPTION.nonce}">`)
  })
})

function everything(): Rendering[] {
  return [...Object.values(ACCEPTED), ...REFUSED.map(([, , rendering]) => rendering)]
}

function inTypeScript({ order, options }: Rendering): string {
  // The table has values that the types refuse.
  return Reflect.apply(renderCheckout, undefined, [order, options])
}

function inSnakeCase({ order, options }: Rendering): Rendering {
  const entries = Object.entries(options).map(([name, value]) => [snakeCase(name), value])
  return { order, options: Object.fromEntries(entries) }
}

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
