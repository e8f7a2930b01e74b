/**
 * Sends payouts from a file, one after the other.
 *
 * Each has its own reference, so a run that was interrupted is simply run again: what was sent is answered as it
 * stands, and the rest is sent.
 */

import type { Problem } from '../../contract/problem.ts'
import type { Api } from '../api.ts'
import type { ExitCode } from '../exit-code.ts'
import type { ResultOptions } from '../result.ts'
import type { Shell } from '../shell.ts'
import { readFile } from 'node:fs/promises'
import { TrackedPayout } from '../../contract/tracked-payout.ts'
import { sentenceOf, withApi } from '../api.ts'
import { CommandFailure, EXIT, exitCodeOf } from '../exit-code.ts'
import { showResult } from '../result.ts'
import { payoutTable } from './table.ts'

const ADDRESS = { local: '/payouts', imt: '/payouts/imt', b2b: '/payouts/b2b' } as const

interface SendOptions extends ResultOptions {
  type: keyof typeof ADDRESS
}

type Sent =
  | { kind: 'tracked'; payout: TrackedPayout; body: unknown }
  | { kind: 'refused'; index: number; problem: Problem }

export async function send(shell: Shell, file: string, options: SendOptions): Promise<ExitCode> {
  const payouts = parse(await read(shell, file), file)
  const sent = await withApi(shell, (api) =>
    shell.waitFor(`Sending ${payouts.length} of ${file}`, sendAll(api, ADDRESS[options.type], payouts)),
  )
  const bodies = sent.map((one) => (one.kind === 'tracked' ? one.body : one.problem))
  const tracked = sent.flatMap((one) => (one.kind === 'tracked' ? [one.payout] : []))
  if (options.json || tracked.length > 0) {
    showResult(shell, options, bodies, () => payoutTable(tracked))
  }
  for (const one of sent) {
    if (one.kind === 'refused') shell.note(`Number ${one.index + 1} was refused: ${sentenceOf(one.problem)}`)
  }
  return worst(sent)
}

async function sendAll(api: Api, address: string, payouts: readonly unknown[]): Promise<Sent[]> {
  const sent: Sent[] = []
  for (const [index, payout] of payouts.entries()) {
    const answer = await api.post(address, payout)
    switch (answer.kind) {
      case 'answered':
        sent.push({ kind: 'tracked', payout: TrackedPayout.parse(answer.body), body: answer.body })
        break
      case 'refused':
        sent.push({ kind: 'refused', index, problem: answer.problem })
    }
  }
  return sent
}

/** A refusal is said before what is merely unclear. */
function worst(sent: readonly Sent[]): ExitCode {
  const codes = sent.map((one) => (one.kind === 'refused' ? exitCodeOf(one.problem) : codeOf(one.payout)))
  return codes.find((code) => code !== EXIT.ok && code !== EXIT.unclear) ?? codes.find(Boolean) ?? EXIT.ok
}

function codeOf({ outcome }: TrackedPayout): ExitCode {
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

/** One payout, or a list of them. */
function parse(text: string, file: string): unknown[] {
  try {
    const json: unknown = JSON.parse(text)
    return Array.isArray(json) ? json : [json]
  } catch (cause) {
    throw new CommandFailure(EXIT.data, `${file} has to hold JSON: one payout, or a list of them.`, { cause })
  }
}
