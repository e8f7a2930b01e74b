/** Reads and validates environment variables, and collects a message for each invalid or missing variable. */

import type { Secrets } from './secret.ts'
import type { SecretName, VariableName } from './variables.ts'
import { isIP } from 'node:net'
import { Secret } from './secret.ts'
import { isReadByAll } from './text-file.ts'
import { VARIABLES } from './variables.ts'
import { isHttpUrl } from '../contract/parse-url.ts'

/**
 * The environment variables by name, for example `process.env`. An `undefined` value means that the variable is not
 * set.
 */
export type Environment = Readonly<Record<string, string | undefined>>

/** What is probably wrong: a variable that nobody reads, or a file of a secret that everybody may read. */
export interface Warning {
  about: 'variables' | 'files'
  text: string
}

/** Variables with other prefixes may belong to other programs. */
const OUR_PREFIX = /^(GATEWAY|MERCHANT|ORDERS?|CALLBACK|CHECKOUT)_/

/** A function that returns whether a value is valid. */
type Fits = (value: string) => boolean

export class Variables {
  readonly #env: Environment
  readonly #read: (path: string) => string
  /**
   * The messages about missing and invalid variables. A message names the variable and the rule that its value breaks,
   * and never contains a secret's value.
   */
  readonly problems: string[] = []
  readonly sharedFiles: Warning[] = []
  /** The names of the variables, also with `_FILE` and `_PREVIOUS` if they were asked for so. */
  readonly #known = new Set<string>(Object.keys(VARIABLES))

  /** @param read Returns the text of the file at a path; throws if the file cannot be read. */
  constructor(env: Environment, read: (path: string) => string) {
    this.#env = env
    this.#read = read
  }

  /**
   * Returns the value of a variable; `undefined` if the variable is missing, blank or invalid. Adds a message to
   * `problems` if the value is invalid.
   */
  optional(name: VariableName, fits: Fits = () => true, rule = ''): string | undefined {
    return this.#keep(name, this.#value(name), fits, rule)
  }

  required(name: VariableName, fits?: Fits, rule?: string): string | undefined {
    if (!this.#isSet(name)) this.problems.push(`${name} is required.`)
    return this.optional(name, fits, rule)
  }

  /**
   * Returns the values of a secret; `undefined` if there is no current value. The current value is in the variable
   * `NAME`, or in the file whose path is in `NAME_FILE`. The previous value is in `NAME_PREVIOUS`, or in the file whose
   * path is in `NAME_PREVIOUS_FILE`.
   */
  optionalSecrets(name: SecretName, fits: Fits = () => true, rule = ''): Secrets | undefined {
    const current = this.#keep(name, this.#secret(name), fits, rule)
    const previous = this.#keep(`${name}_PREVIOUS`, this.#secret(`${name}_PREVIOUS`), fits, rule)
    if (current === undefined) return undefined
    return previous === undefined ? [new Secret(current)] : [new Secret(current), new Secret(previous)]
  }

  secrets(name: SecretName, fits?: Fits, rule?: string): Secrets | undefined {
    if (!this.#isSet(name) && !this.#isSet(`${name}_FILE`)) {
      this.problems.push(`${name} is required, or ${name}_FILE with the path of a file that holds it.`)
    }
    return this.optionalSecrets(name, fits, rule)
  }

  /**
   * Returns a base URL without trailing slashes; `undefined` if the variable is missing or invalid. Scheme and host are
   * in lower case and a default port is left out, because stored transactions are found by the exact text of the base
   * URL.
   */
  optionalBase(name: VariableName): string | undefined {
    const value = this.optional(name, isAddress, ADDRESS)
    if (value === undefined) return undefined
    if (!/[?#{]/.test(value)) return new URL(value).href.replace(/(?<!\/)\/+$/, '')
    this.problems.push(`${name} must have no "?", "#" or "{": paths are put after it.`)
    return undefined
  }

  base(name: VariableName): string | undefined {
    return this.required(name) === undefined ? undefined : this.optionalBase(name)
  }

  choice<T extends string>(name: VariableName, choices: readonly T[], fallback?: T): T | undefined {
    const value = this.optional(name) ?? fallback
    const chosen = choices.find((choice) => choice === value)
    if (chosen === undefined) this.problems.push(`${name} must be one of ${choices.join(', ')}.`)
    return chosen
  }

  integer(name: VariableName, min: number, max: number): number | undefined {
    const fits = (value: string) => /^\d{1,9}$/.test(value) && +value >= min && +value <= max
    const value = this.optional(name, fits, `a whole number from ${min} to ${max}`)
    return value === undefined ? undefined : Number(value)
  }

  /**
   * Returns the entries of a comma-separated list; `undefined` if the variable is missing. Adds a message to `problems`
   * for every invalid entry.
   */
  list(name: VariableName, fits: Fits, rule: string): string[] | undefined {
    const entries = this.optional(name)
      ?.split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
    for (const entry of entries ?? []) {
      // The entry may be a URL with a password.
      const shown = entry.replace(/\/\/.*@/, '//…@')
      if (!fits(entry)) this.problems.push(`${name} has "${shown}", which is not ${rule}.`)
    }
    return entries
  }

  /** Returns a sentence for each variable that is set and not read, although its name has a prefix of this server. */
  unknown(): Warning[] {
    return Object.keys(this.#env)
      .filter((name) => OUR_PREFIX.test(name) && !this.#known.has(name) && this.#env[name]?.trim())
      .map((name) => ({
        about: 'variables',
        text: `${name} is set, but is not read: this server has no such variable.`,
      }))
  }

  #isSet(name: string): boolean {
    this.#known.add(name)
    return Boolean(this.#env[name]?.trim())
  }

  /** Returns the text of a variable; `undefined` if the text is missing or blank. */
  #value(name: string): string | undefined {
    this.#known.add(name)
    return this.#env[name]?.trim() || undefined
  }

  #keep(name: string, value: string | undefined, fits: Fits, rule: string): string | undefined {
    if (value === undefined || fits(value)) return value
    this.problems.push(`${name} must be ${rule}.`)
    return undefined
  }

  #secret(name: string): string | undefined {
    this.#known.add(name)
    const path = this.#value(`${name}_FILE`)
    if (path === undefined) return this.#value(name)
    // A text that does not begin as a path does may be the secret itself, given to the wrong variable.
    const named = /^([a-z]:)?[/\\.]/i.test(path)
      ? `${name}_FILE names the file ${path}`
      : `${name}_FILE names a file`
    try {
      const text = this.#read(path).trim()
      if (isReadByAll(path))
        this.sharedFiles.push({
          about: 'files',
          text: `${named}, which every user of this machine may read: chmod 600.`,
        })
      if (text !== '') return text
      this.problems.push(`${named}, which is empty.`)
    } catch (error) {
      const reason = error instanceof Error && 'code' in error ? `: ${String(error.code)}` : ''
      this.problems.push(`${named}, which cannot be read${reason}.`)
    }
    return undefined
  }
}

export const ADDRESS = 'an absolute http(s) URL without a user or a password'

/** Returns whether a text is an {@link ADDRESS}. A user and a password would never be sent. */
export function isAddress(text: string): boolean {
  if (!isHttpUrl(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

/** Returns whether a text is an IP address, or a network in CIDR notation such as 10.0.0.0/8. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32))
}
