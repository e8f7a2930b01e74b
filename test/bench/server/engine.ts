/** The databases that are measured, and how SQL differs between them. */

export const ENGINES = ['SQLite', 'Postgres'] as const

export type Engine = (typeof ENGINES)[number]

/** Returns the SQL of a number as text with a prefix, in as many digits. */
export const PADDED: Readonly<Record<Engine, (prefix: string, number: string, digits: number) => string>> = {
  SQLite: (prefix, number, digits) => `printf('${prefix}%0${digits}d', ${number})`,
  Postgres: (prefix, number, digits) => `'${prefix}' || lpad((${number})::text, ${digits}, '0')`,
}
