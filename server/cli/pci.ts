/** The command `pci`, which takes the inventory of a payment page's scripts and compares it with a stored inventory. */

import type { Command } from 'commander'
import type { Finding, Inventory } from '../scripts/inventory.ts'
import type { ResultOptions } from './command.ts'
import type { Shell } from './shell.ts'
import { readFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import { addQuery, showResult } from './command.ts'
import { CommandFailure, EXIT } from './exit-code.ts'
import { printable } from '../printable.ts'
import { readText } from './send-file.ts'
import { table } from './table.ts'
import { isHttpUrl } from '../contract/parse-url.ts'

interface PciOptions extends ResultOptions {
  inventory?: string
  url?: string
}

const HELP = `
To start, store the inventory: pci URL --json > inventory.json
Write into each script's "justification" and "authorization" why the page needs it, and who authorized it.
Then compare regularly: pci URL --inventory inventory.json
`

/** The maximum number of characters of an address or a hash in a table. */
const MAX_CELL = 90

export function addPci(program: Command, shell: Shell): void {
  addQuery(
    program,
    'pci',
    "list a payment page's scripts and security headers, and compare them with an inventory (PCI DSS 6.4.3, 11.6.1)",
    'pci https://shop.example/checkout --json',
    'pci https://shop.example/checkout --inventory inventory.json',
  )
    .argument('<page>', 'the URL of the page, or a file with its HTML')
    .option('--inventory <file>', 'compare with this inventory, which "pci --json" has printed')
    .option('--url <url>', 'the URL of a page that is given as a file, for relative addresses', readUrl)
    .addHelpText('after', HELP)
    .action((page: string, options: PciOptions) => inspect(shell, page, options))
}

async function inspect(shell: Shell, page: string, options: PciOptions): Promise<void> {
  // The parser for HTML loads only for this command.
  const { takeInventory } = await import('./payment-page.ts')
  const { compare, withStoredEntries } = await import('../scripts/inventory.ts')
  const stored = options.inventory === undefined ? null : await readInventory(options.inventory)
  const source = isHttpUrl(page) ? page : { bytes: readBytes(page), address: options.url ?? page }
  const taken = await shell.waitFor(`Retrieving ${page}`, takeInventory(shell, source))
  const inventory = stored ? withStoredEntries(taken.inventory, stored) : taken.inventory
  const findings = stored ? [...taken.findings, ...compare(taken.inventory, stored)] : taken.findings
  showResult(shell, options, { ...inventory, findings }, () => inventoryText(inventory, findings, stored))
  shell.exitCode = findings.length === 0 ? EXIT.ok : EXIT.refused
}

async function readInventory(file: string): Promise<Inventory> {
  const { Inventory } = await import('../scripts/inventory.ts')
  const parsed = Inventory.safeParse(parseJson(readText(file), file))
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => `\n  - ${path.join('.')}: ${message}`)
  throw new CommandFailure(
    EXIT.data,
    `${file} is not an inventory that "pci --json" has printed:${problems.join('')}`,
  )
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new CommandFailure(EXIT.data, `${file} must contain JSON.`, { cause })
  }
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw new CommandFailure(EXIT.noInput, `${file} cannot be read.`, { cause })
  }
}

function inventoryText(inventory: Inventory, findings: readonly Finding[], stored: Inventory | null): string {
  const { headers, meta_policies, scripts } = inventory
  const rows = scripts.map(({ address, integrity, justification, authorization }) => [
    shorten(address),
    integrity.method,
    integrity.value && shorten(integrity.value),
    justification,
    authorization,
  ])
  const policies = [
    ...Object.entries(headers ?? {}),
    ...meta_policies.map((policy) => ['content-security-policy in <meta>', policy]),
  ]
  const agrees = stored
    ? 'The page agrees with the inventory.'
    : 'Store the inventory with --json; compare with it later by --inventory.'
  return [
    table(['script', 'integrity by', 'value', 'justification', 'authorization'], rows),
    '',
    table(['header', 'value'], policies),
    '',
    ...findings.map(
      ({ kind, subject, detail }) => `✗ ${kind}: ${printable(shorten(subject))}: ${printable(detail)}`,
    ),
    findings.length === 0 ? agrees : 'Check each line marked ✗.',
  ].join('\n')
}

function shorten(text: string): string {
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL)}…` : text
}

function readUrl(text: string): string {
  if (isHttpUrl(text)) return text
  throw new InvalidArgumentError('The value must be an absolute http(s) URL.')
}
