/** Functions that declare commands, and functions that print the results of commands. */

import type { Command } from 'commander'
import type { z } from 'zod'
import type { ApiClient, Query } from './api-client.ts'
import type { Shell } from './shell.ts'
import { pageOf } from '../routes/listing.ts'
import { withApi } from './api-client.ts'
import { printableJson } from '../printable.ts'

export interface ResultOptions {
  json?: boolean
}

interface Resource<Value> {
  /** The path of the resource below `/api`. */
  path: string
  query?: Query
  schema: z.ZodType<Value>
  asText: (value: Value) => string
  /** Whether the value is in records of the store, instead of with the gateway alone. Default: true. */
  needsRecords?: boolean
}

interface List<Item> {
  path: string
  schema: z.ZodType<Item>
  asTable: (items: readonly Item[]) => string
}

/** The description of a resource that has two commands: one retrieves a single item, the other lists items. */
export type Kind<Item> = Resource<Item> & List<Item>

interface ListOptions extends ResultOptions {
  outcome?: string
  updatedSince?: string
  cursor?: string
}

/**
 * Adds a subcommand to `parent`.
 *
 * @param examples Example arguments of `gateway-checkout-server`, shown in the help text.
 */
export function addCommand(
  parent: Command,
  name: string,
  description: string,
  ...examples: string[]
): Command {
  const lines = examples.map((example) => `  gateway-checkout-server ${example}`)
  return parent
    .command(name)
    .description(description)
    .addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
}

/** Adds a subcommand that prints its result as text, or as JSON with `--json`. */
export function addQuery(parent: Command, name: string, description: string, ...examples: string[]): Command {
  return addCommand(parent, name, description, ...examples).option(
    '--json',
    "print the API's response as JSON",
  )
}

interface Retrieval {
  name: string
  description: string
  example: string
  argument: readonly [name: string, description: string]
}

/**
 * Adds a subcommand that retrieves one resource. The subcommand's argument becomes the last segment of the resource's
 * path.
 */
export function addRetrieval<Value>(
  parent: Command,
  shell: Shell,
  resource: Resource<Value>,
  { name, description, example, argument }: Retrieval,
): void {
  addQuery(parent, name, description, example)
    .argument(...argument)
    .action((key: string, options: ResultOptions) => {
      const path = `${resource.path}/${encodeURIComponent(key)}`
      return showResource(shell, options, { ...resource, path })
    })
}

/** Adds a `list` subcommand, which prints one page of a list. */
export function addList<Item>(
  parent: Command,
  shell: Shell,
  description: string,
  example: string,
  list: List<Item>,
): Command {
  return addQuery(parent, 'list', description, example)
    .option('--cursor <cursor>', 'continue after the previous page')
    .action((options: ListOptions) => showPage(shell, options, list))
}

/** Adds a `list` subcommand for transactions, with options to filter by outcome and by time of the last change. */
export function addTransactionList<Item>(
  parent: Command,
  shell: Shell,
  example: string,
  list: List<Item>,
): void {
  addList(parent, shell, 'list by time of the last change, oldest first', example, list)
    .option('--outcome <outcome>', 'only this outcome')
    .option('--updated-since <time>', 'only changes at or after this time (ISO 8601; UTC without an offset)')
}

export async function showResource<Value>(
  shell: Shell,
  options: ResultOptions,
  { path, query, schema, asText, needsRecords }: Resource<Value>,
): Promise<void> {
  const show = async (api: ApiClient) => {
    const { value, body } = await shell.waitFor('Querying the gateway', api.get(path, schema, query))
    showResult(shell, options, body, () => asText(value))
  }
  await withApi(shell, show, needsRecords)
}

/** Prints the result of a command as text. With `--json`, prints `body` as JSON instead. */
export function showResult(shell: Shell, { json }: ResultOptions, body: unknown, asText: () => string): void {
  shell.print(json ? printableJson(JSON.stringify(body, null, 2)) : asText())
}

/** Prints one page of a list. Writes to stderr how to get the next page, or that the list is empty. */
export async function showPage<Item>(shell: Shell, options: ListOptions, list: List<Item>): Promise<void> {
  const { json, outcome, updatedSince, cursor } = options
  await withApi(shell, async (api) => {
    const query = { outcome, updated_since: updatedSince, cursor }
    const { value, body } = await api.get(list.path, pageOf(list.schema), query)
    if (!json && value.items.length === 0) return shell.inform('The list is empty.')
    showResult(shell, options, body, () => list.asTable(value.items))
    if (!json && value.next_cursor) shell.inform(`Next page: --cursor ${value.next_cursor}`)
  })
}
