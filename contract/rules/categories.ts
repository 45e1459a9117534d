/** That of the wire's chain of parents. */
export const categoryDepth = 4;

interface TreeNode {
  id: string;
  parentId: string | null;
}

interface Tree<C extends TreeNode> {
  categories: ReadonlyMap<string, C>;
}

export type CategoryTree = Tree<TreeNode>;

/** The category and those above it, up to the top. Empty for one that is not there. */
export function categoryChain<C extends TreeNode>(taxonomy: Tree<C>, id: string): C[] {
  const chain: C[] = [];
  for (let next = taxonomy.categories.get(id); next && chain.length < categoryDepth; ) {
    chain.push(next);
    next = next.parentId === null ? undefined : taxonomy.categories.get(next.parentId);
  }
  return chain;
}
