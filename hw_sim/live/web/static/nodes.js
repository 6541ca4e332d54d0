// Elements, made in one line.
export const node = (kind, className, ...children) => {
  const made = document.createElement(kind);
  if (className) made.className = className;
  made.append(...children);
  return made;
};
