/**
 * Sends what a file of JSON holds, one after the other.
 *
 * Each has its own reference, so a run that was interrupted is simply run again: what was sent is answered as it
 * stands, and the rest is sent.
 */

import type { z } from 'zod'
import type { Problem } from '../api/problem.ts'
import type { TrackedOutcome } from '../api/tracked.ts'
import type { Api } from './api.ts'
import type { ExitCode } from './exit-code.ts'
import type { ResultOptions } from './result.ts'
import type { Shell } from './shell.ts'
import { readFile } from 'node:fs/promises'
import { sentenceOf, withApi } from './api.ts'
import { CommandFailure, EXIT, exitCodeOf } from './exit-code.ts'
import { showResult } from './result.ts'

/** Charges come to the same words as payouts. */
interface Tracked {
  outcome: TrackedOutcome
}

interface Sending<Item> {
  /** Of one of them: "payout". */
  noun: string
  path: string
  item: z.ZodType<Item>
  asText: (items: Item[]) => string
}

type Sent<Item> =
  | { kind: 'tracked'; item: Item; body: unknown }
  | { kind: 'refused'; index: number; problem: Problem }

export async function sendFile<Item extends Tracked>(
  shell: Shell,
  file: string,
  options: ResultOptions,
  sending: Sending<Item>,
): Promise<ExitCode> {
  const given = parse(await read(shell, file), file, sending.noun)
  if (given.length === 0) shell.note(`${file} has nothing to send.`)
  const sent = await withApi(shell, (api) =>
    shell.waitFor(`Sending ${given.length} of ${file}`, sendAll(api, sending, given)),
  )
  const bodies = sent.map((one) => (one.kind === 'tracked' ? one.body : one.problem))
  const tracked = sent.flatMap((one) => (one.kind === 'tracked' ? [one.item] : []))
  if (options.json || tracked.length > 0) {
    showResult(shell, options, bodies, () => sending.asText(tracked))
  }
  for (const one of sent) {
    if (one.kind === 'refused') shell.note(`Number ${one.index + 1} was refused: ${sentenceOf(one.problem)}`)
  }
  return worst(sent)
}

async function sendAll<Item>(
  api: Api,
  { path, item }: Sending<Item>,
  given: readonly unknown[],
): Promise<Sent<Item>[]> {
  const sent: Sent<Item>[] = []
  for (const [index, one] of given.entries()) {
    const answer = await api.post(path, one)
    switch (answer.kind) {
      case 'answered':
        sent.push({ kind: 'tracked', item: item.parse(answer.body), body: answer.body })
        break
      case 'refused':
        sent.push({ kind: 'refused', index, problem: answer.problem })
    }
  }
  return sent
}

/** A refusal is said before what is merely unclear. */
function worst(sent: readonly Sent<Tracked>[]): ExitCode {
  const codes = sent.map((one) =>
    one.kind === 'refused' ? exitCodeOf(one.problem) : exitCodeOfOutcome(one.item),
  )
  return codes.find((code) => code !== EXIT.ok && code !== EXIT.unclear) ?? codes.find(Boolean) ?? EXIT.ok
}

function exitCodeOfOutcome({ outcome }: Tracked): ExitCode {
  switch (outcome) {
    case 'sending':
      return EXIT.unclear
    case 'pending':
    case 'succeeded':
      return EXIT.ok
    case 'failed':
    case 'reversed':
    case 'refunded':
    case 'needs_attention':
      return EXIT.refused
  }
}

async function read(shell: Shell, file: string): Promise<string> {
  if (file === '-') return shell.readInput()
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new CommandFailure(EXIT.noInput, `${file} cannot be read.`, { cause })
  }
}

/** One, or a list of them; what Windows writes before a text is no part of it. */
function parse(text: string, file: string, noun: string): unknown[] {
  try {
    const json: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return Array.isArray(json) ? json : [json]
  } catch (cause) {
    throw new CommandFailure(EXIT.data, `${file} has to hold JSON: one ${noun}, or a list of them.`, {
      cause,
    })
  }
}
