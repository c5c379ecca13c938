// Font of texts on a canvas, as on the page: a canvas inherits no style.

export const canvasFontFamily = "'Inter Variable', 'Noto Sans Devanagari Variable', ui-sans-serif, system-ui, sans-serif"
