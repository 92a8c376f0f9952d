import type { Client } from "./client.js";
import type { Input, ListPaths, Operation, PageOf, PathsWith, ReadInput, RecordOf, Result } from "./types.js";
type Picked<R, F extends string> = R extends object ? Pick<R, F & keyof R> : R;
/** A record with these fields, or a page of such records. */
type Only<T, F extends string> = T extends {
    data: (infer R)[];
    meta: unknown;
} ? Omit<T, "data"> & {
    data: Picked<R, F>[];
} : Picked<T, F>;
/** Reads whose records have only some fields: `client.only("id", "total").list("/orders")`. */
export declare class Selection<F extends string> {
    #private;
    constructor(client: Client, fields: F[]);
    get<P extends PathsWith<"get">>(path: P, ...[input]: Input<ReadInput<Operation<P, "get">>>): Promise<Only<Result<Operation<P, "get">>, F>>;
    list<P extends ListPaths>(path: P, ...[input]: Input<ReadInput<Operation<P, "get">>>): AsyncGenerator<Picked<RecordOf<P>, F>, void, undefined>;
    pages<P extends ListPaths>(path: P, ...[input]: Input<ReadInput<Operation<P, "get">>>): AsyncGenerator<Only<PageOf<P>, F>, void, undefined>;
}
export {};
