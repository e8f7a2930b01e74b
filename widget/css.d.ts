/** A style sheet as text. Vite reads the file, and minifies it when it builds. */
declare module '*.css?inline' {
  const text: string
  export default text
}
