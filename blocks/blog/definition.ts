import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { BlogPostSummary } from '#contract/schemas/blog.ts';
import { described, Nullable } from '#contract/schemas/common.ts';
import { type BlockForm, blockId, defineBlock, loadEach, shownForm, storedForm } from '../define-block.ts';

/** SPEC §3. `collectionName` has no meaning if the type is 'all'. */
const BlogAttribute = Type.Object({
  collectionType: described(
    'All posts, or those of a category or tag of the blog.',
    Type.Enum(['all', 'category', 'tag']),
    {
      label: 'office.block.posts',
    },
  ),
  collectionName: described(
    'The id of the category or tag; empty for all posts.',
    Type.String({ maxLength: 100 }),
    {
      label: 'office.block.postsOf',
      control: 'own',
    },
  ),
  quantity: described('The number of posts shown.', Type.Integer({ minimum: 1, maximum: 12 }), {
    label: 'office.block.count',
    initial: 3,
  }),
});

const schema = <T extends TSchema, I extends TSchema, P extends TProperties>(
  { text }: BlockForm<T, I>,
  loaded: P,
) =>
  Type.Object({
    ...blockId,
    title: described('The heading of the block; null for none.', Nullable(text), {
      label: 'office.block.title',
    }),
    type: Type.Literal('blog'),
    blog: described('The posts to show.', BlogAttribute),
    layout: Type.Optional(
      described(
        'A `grid` of equal posts, the default; `lead` gives the first more room than the second.',
        Type.Enum(['grid', 'lead']),
        { label: 'office.block.postsLayout' },
      ),
    ),
    ...loaded,
  });

const stored = schema(storedForm, {});
type Stored = Static<typeof stored>;

export const blog = defineBlock({
  stored,
  shown: schema(shownForm, { posts: Type.Array(BlogPostSummary) }),
  load: (blocks: readonly Stored[], { posts }) => loadEach(blocks, ({ blog }) => posts(blog)),
  present: (block, page, posts) => ({
    ...block,
    title: page.optionalText(block.title),
    posts: posts.get(block) ?? [],
  }),
});
