import { Selection } from "./selection.js";
import { type Answered, type Options } from "./session.js";
import type { Answer, AnyInputOf, CallOptions, Input, ListPaths, Method, Operation, PageOf, PathsWith, ReadInput, RecordOf, Result, Schemas, WriteInput } from "./types.js";
/** A client of the Open API. Paths, parameters, bodies and results have the types of the published description. */
export declare class Client {
    #private;
    constructor(options: Options);
    /** One record, or one page of a list. */
    get<P extends PathsWith<"get">>(path: P, ...[input]: Input<ReadInput<Operation<P, "get">>>): Promise<Result<Operation<P, "get">>>;
    /** Every record of a list, with one request for each page: `for await (const order of client.list("/orders"))`. */
    list<P extends ListPaths>(path: P, ...[input]: Input<ReadInput<Operation<P, "get">>>): AsyncGenerator<RecordOf<P>, void, undefined>;
    /** The pages of a list, with `meta.total`. */
    pages<P extends ListPaths>(path: P, ...[input]: Input<ReadInput<Operation<P, "get">>>): AsyncGenerator<PageOf<P>, void, undefined>;
    /** The same reads, whose records have only these fields: `client.only("id", "total").list("/orders")`. */
    only<const F extends string>(...fields: F[]): Selection<F>;
    post<P extends PathsWith<"post">>(path: P, ...[input]: Input<WriteInput<Operation<P, "post">>>): Promise<Result<Operation<P, "post">>>;
    patch<P extends PathsWith<"patch">>(path: P, ...[input]: Input<WriteInput<Operation<P, "patch">>>): Promise<Result<Operation<P, "patch">>>;
    put<P extends PathsWith<"put">>(path: P, ...[input]: Input<WriteInput<Operation<P, "put">>>): Promise<Result<Operation<P, "put">>>;
    delete<P extends PathsWith<"delete">>(path: P, ...[input]: Input<WriteInput<Operation<P, "delete">>>): Promise<Result<Operation<P, "delete">>>;
    /** Any call, with status, headers and the whole body: `data`, and `dry_run` of a dry run. */
    request<M extends Method, P extends PathsWith<M>>(method: M, path: P, ...[input]: Input<AnyInputOf<M, Operation<P, M>>>): Promise<Answered<Answer<Operation<P, M>>>>;
    /** The records of an export that is done, while they arrive: `for await (const { resource, record } of …)`. */
    records(exportId: string, options?: CallOptions): AsyncGenerator<Schemas["ExportedRecord"], void, undefined>;
}
