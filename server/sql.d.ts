/** The type of an imported SQL file: the build bundles the file's text as a string. */
declare module '*.sql?raw' {
  const sql: string
  export default sql
}
