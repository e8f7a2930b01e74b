/** What the validation library, URL and JSON say of wrong values where we gave them no words of our own. */
export const LIBRARY_WORDS =
  /Invalid (input|option|string|number|element|key|value|discriminator|URL)|Too (big|small):|Unrecognized keys?:|expected \w+, received|Unexpected (token|end of JSON)|in JSON at position/
