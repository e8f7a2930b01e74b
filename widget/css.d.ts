/** A style sheet as text. Vite reads the file and minifies it in a build. */
declare module '*.css?inline' {
  const text: string
  export default text
}
