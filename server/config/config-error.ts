/** The error that names every problem of a configuration. */

/** Thrown if the configuration is invalid. `problems` contains one message for each invalid or missing variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly code = 'config_invalid'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    const different = [...new Set(problems)]
    const lines = different.map((problem) => `  - ${problem}`)
    super(`The configuration cannot be used:\n${lines.join('\n')}`)
    this.problems = different
  }
}
