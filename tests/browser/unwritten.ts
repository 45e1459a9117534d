/** Finds texts of a page that nobody wrote: the key of a message instead of its text, or a placeholder that was not filled. */
import messages from '#contract/messages/en.json' with { type: 'json' };
import staffMessages from '#contract/staff/messages/en.json' with { type: 'json' };

const groups = new Set(
  [...Object.keys(messages), ...Object.keys(staffMessages)].map((key) => key.split('.', 1)[0]),
);

/** A whole text that looks like a key of the messages' groups, such as `modifiers.allergen.milk`; permissions are names that staff see. */
export const textsThatNameKeys = String.raw`^(?:${[...groups].join('|')})\.[a-z][\w-]*(?:\.[\w-]+)*$`;

/** Runs in each page, before its own scripts: what it finds becomes an error of the console, which fails the test. */
export function reportUnwritten(keys: string): void {
  const isKey = new RegExp(keys);
  const attributes = ['aria-label', 'aria-description', 'title', 'placeholder', 'alt'];
  const check = (text: string | null, where: string) => {
    const trimmed = text?.trim() ?? '';
    if (isKey.test(trimmed) || /\{[a-z]\w*\}/.test(trimmed))
      console.error(`Unwritten text in ${where}: ${trimmed.slice(0, 200)}`);
  };
  const checkTree = (root: Node) => {
    const elements = root instanceof Element ? [root, ...root.querySelectorAll('*')] : [];
    for (const element of elements)
      for (const name of attributes) if (element.hasAttribute(name)) check(element.getAttribute(name), name);
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let text: Node | null = texts.currentNode; text; text = texts.nextNode())
      if (
        text instanceof Text &&
        !text.parentElement?.closest('script, style, code, pre, textarea, [contenteditable]')
      )
        check(text.data, text.parentElement?.localName ?? '');
  };
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes, attributeName } of changes) {
      if (type === 'childList') for (const node of addedNodes) checkTree(node);
      else if (type === 'characterData') checkTree(target);
      else if (target instanceof Element && attributeName)
        check(target.getAttribute(attributeName), attributeName);
    }
  }).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: attributes,
  });
}
