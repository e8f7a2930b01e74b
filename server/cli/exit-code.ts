/** How a command ends, for scripts: after sysexits(3) where that has a code. */

import type { Problem } from '../api/problem.ts'

export const EXIT = {
  ok: 0,
  /** Refused by the gateway or by this server; also "not found" and "not ready for live". */
  refused: 1,
  usage: 2,
  /** EX_DATAERR: the file is no JSON, or its list is not valid. */
  data: 65,
  /** EX_NOINPUT: the file cannot be read. */
  noInput: 66,
  /** EX_UNAVAILABLE: the gateway or the store does not answer. */
  unavailable: 69,
  /** EX_SOFTWARE: a defect. */
  software: 70,
  /** EX_TEMPFAIL: a payout was stored, and whether the gateway has it is not known yet. */
  unclear: 75,
  /** EX_NOPERM: the gateway does not accept the credentials. */
  credentials: 77,
  /** EX_CONFIG. */
  config: 78,
  /** As a shell says it of what SIGINT ended. */
  stopped: 130,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** An expected end of a command. `message` is for people, on standard error. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** By the code of a problem; whatever is not here was refused. */
const EXIT_BY_PROBLEM: Readonly<Record<string, ExitCode>> = {
  gateway_unavailable: EXIT.unavailable,
  store_unavailable: EXIT.unavailable,
  gateway_unauthorized: EXIT.credentials,
  internal: EXIT.software,
}

export function exitCodeOf({ code }: Problem): ExitCode {
  return EXIT_BY_PROBLEM[code] ?? EXIT.refused
}
