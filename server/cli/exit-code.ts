/** The exit codes of commands. Codes from 64 to 78 follow sysexits(3). */

import type { Problem } from '../api/problem.ts'

export const EXIT = {
  ok: 0,
  /**
   * The request was refused, the record was not found, the transaction failed, was reversed or refunded, or needs
   * attention, or the command `check` found a problem.
   */
  refused: 1,
  usage: 2,
  /** EX_DATAERR: the command's input is not JSON, or its content is not valid. */
  data: 65,
  /** EX_NOINPUT: the command's input file cannot be read. */
  noInput: 66,
  /**
   * EX_UNAVAILABLE: the gateway or the store does not respond, a backup cannot be written, or the server cannot listen
   * on its port.
   */
  unavailable: 69,
  /** EX_SOFTWARE: an unexpected error, which is a bug. */
  software: 70,
  /** EX_TEMPFAIL: the transaction or the service confirmation is stored, but the gateway's response was lost. */
  unclear: 75,
  /** EX_NOPERM: the gateway does not accept the credentials. */
  credentials: 77,
  /** EX_CONFIG: the configuration is invalid, or the store that it names cannot be used until a person changes it. */
  config: 78,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** An error that ends a command with `exitCode`. The message is written to stderr. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/**
 * The exit codes of commands, by the `code` of the API's error response. For every other `code`, the exit code is
 * `refused`.
 */
const EXIT_BY_PROBLEM: Readonly<Record<string, ExitCode>> = {
  gateway_unavailable: EXIT.unavailable,
  store_unavailable: EXIT.unavailable,
  gateway_unauthorized: EXIT.credentials,
  internal: EXIT.software,
}

export function exitCodeOf({ code }: Problem): ExitCode {
  return EXIT_BY_PROBLEM[code] ?? EXIT.refused
}
