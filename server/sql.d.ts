/** The types of imported SQL and text files. The build replaces the import with the text of the file. */
declare module '*.sql?raw' {
  const sql: string
  export default sql
}

declare module '*.txt?raw' {
  const text: string
  export default text
}
