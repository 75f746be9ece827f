"""Analyses an archive with Spark's RDD.pipe: with_spark.py ENGINE FOLDER"""

import pathlib
import sys

from pyspark import SparkConf, SparkContext


def main():
    engine, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    conf = SparkConf().setMaster("local[2]").setAppName("soucie")
    conf = conf.set("spark.ui.enabled", "false").set("spark.ui.showConsoleProgress", "false")
    context = SparkContext(conf=conf)
    archive = context.textFile((folder / "queries.jsonl").as_uri(), 8)
    replies = archive.pipe(f"{engine} analyse - --queries --jobs 1", checkCode=True).collect()
    (folder / "spark.jsonl").write_text("".join(reply + "\n" for reply in replies))
    print(archive.getNumPartitions(), "partitions")
    context.stop()


if __name__ == "__main__":
    main()
