/* The arrays of a page: one text of base64, deflated (viewer.py, Store). Gives decode([first byte, bytes, bytes of a number], Type). */
'use strict';
function percussUnpack(text) {
  const bytes = percussInflate(Uint8Array.from(atob(text), c => c.charCodeAt(0)));
  return ([first, size, width], Type) => { /* the first bytes of all numbers, then the second ones ... */
    const joined = new Uint8Array(size), n = size / width;
    for (let j = 0; j < width; j++)
      for (let i = 0; i < n; i++) joined[i * width + j] = bytes[first + j * n + i];
    return new Type(joined.buffer);
  };
}
