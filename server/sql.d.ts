/** The type of an imported SQL file. The build replaces the import with the text of the file. */
declare module '*.sql?raw' {
  const sql: string
  export default sql
}
