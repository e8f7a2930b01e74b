/** The type of imported text files. The build replaces the import with the text of the file. */
declare module '*?raw' {
  const text: string
  export default text
}
