/** Content: pages and blocks, the blog, forms, feeds and photos. */

export { parsed, storedBlockSchemas } from './blocks/published-blocks.ts';
export { picturesOf as picturesOfParts, validateParts } from './blog/article.ts';
export type { BlogService } from './blog/blog.service.ts';
export type { FeedsService } from './blog/blog-feeds.ts';
export { BlogInput, PostInput } from './blog/blog-input.ts';
export type { LikesService } from './blog/likes.ts';
export type { ContentExport } from './content-export.ts';
export type { ContentRemoval, MentionTarget } from './content-removal.ts';
export type { SourceFailure } from './external-sources/external-sources.service.ts';
export type { FeedReader } from './feeds/feed-reader.service.ts';
export type { FormMessagesService } from './forms/form-messages.service.ts';
export type { ContentService, PageReport } from './pages/content.service.ts';
export { decodedPath, leadsNowhere, linksInText, pageFolders, pathOf } from './pages/links.ts';
export {
  type Collections,
  PageInput,
  pageProblems,
  picturesOfBlocks,
  takenPageNames,
} from './pages/page-problems.ts';
export type { ShellService } from './pages/shell.service.ts';
export type { GalleryPhoto, PhotographsService } from './photographs/photographs.service.ts';
export {
  type BlogTopics,
  type HeldPost,
  type ImportedPosts,
  pageOfText,
  writtenIn,
} from './posts/imported-posts.ts';
